import { z } from "zod";
import { AddressError, parseAddress } from "../../support/security/addresses/address.ts";

export const text = z.string().regex(/\S/, "text that is not blank");

export const address = z.string().superRefine((written, context) => {
  try {
    parseAddress(written, "admin");
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    context.addIssue({ code: "custom", message: error.problem });
  }
});

export const endpoint = z
  .string()
  .refine(isHttpUrl, "must be a valid URL that begins with http:// or https://");

function isHttpUrl(written: string): boolean {
  return /^https?:\/\//i.test(written) && URL.canParse(written);
}

export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, "an HTTP header name");
export const headers = z.record(headerName, z.string());
export const usd = z.number().min(0);
