import { expect, test } from "vitest";
import { modelEnvironment } from "../../src/model-server/base-urls.ts";

const origin = "http://127.0.0.1:9";

function mapped(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const { variables, mounts } = modelEnvironment(env, origin, "c1");
  return Object.fromEntries(
    Object.entries(variables)
      .filter(([name]) => !/no_proxy/i.test(name))
      .map(([name, url]) => {
        const mount = mounts.find((one) => `${url}/`.startsWith(`${origin}/r/c1/${one.name}/`));
        return [name, mount && `${mount.base.origin}${url.slice(`${origin}/r/c1/${mount.name}`.length)}`];
      }),
  );
}

test("each variable leads to the address that its clients would use without it", () => {
  expect(mapped({})).toEqual({
    OPENAI_BASE_URL: "https://api.openai.com/v1",
    OPENAI_API_BASE: "https://api.openai.com/v1",
    ANTHROPIC_BASE_URL: "https://api.anthropic.com",
    ANTHROPIC_API_URL: "https://api.anthropic.com",
    GOOGLE_GEMINI_BASE_URL: "https://generativelanguage.googleapis.com",
  });
});

test("a variable that is set leads where it says, and so do those beside it that are not", () => {
  expect(
    mapped({
      OPENAI_API_BASE: "http://llm.internal:8000/api/v1/",
      ANTHROPIC_BASE_URL: "https://one.example",
      ANTHROPIC_API_URL: "https://two.example/x",
      AZURE_OPENAI_ENDPOINT: "https://us.openai.azure.com/",
      GOOGLE_GEMINI_BASE_URL: "not an address",
    }),
  ).toEqual({
    OPENAI_BASE_URL: "http://llm.internal:8000/api/v1",
    OPENAI_API_BASE: "http://llm.internal:8000/api/v1",
    ANTHROPIC_BASE_URL: "https://one.example",
    ANTHROPIC_API_URL: "https://two.example/x",
    AZURE_OPENAI_ENDPOINT: "https://us.openai.azure.com",
    GOOGLE_GEMINI_BASE_URL: "https://generativelanguage.googleapis.com",
  });
});

test("calls to this machine are kept from a proxy", () => {
  expect(modelEnvironment({ no_proxy: "intern.example" }, origin, "c1").variables).toMatchObject({
    NO_PROXY: "intern.example,127.0.0.1,localhost",
    no_proxy: "intern.example,127.0.0.1,localhost",
  });
});
