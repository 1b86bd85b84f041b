import { expect, test } from "vitest";
import { modelEnvironment, replayVariables } from "../../src/model-server/base-urls.ts";

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
    ANTHROPIC_API_BASE: "https://api.anthropic.com",
    ANTHROPIC_API_URL: "https://api.anthropic.com",
    GOOGLE_GEMINI_BASE_URL: "https://generativelanguage.googleapis.com",
    GEMINI_API_BASE: "https://generativelanguage.googleapis.com/v1beta",
    OPENROUTER_BASE_URL: "https://openrouter.ai/api/v1",
    GROQ_BASE_URL: "https://api.groq.com",
    MISTRAL_BASE_URL: "https://api.mistral.ai/v1",
    DEEPSEEK_BASE_URL: "https://api.deepseek.com/v1",
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
  ).toMatchObject({
    OPENAI_BASE_URL: "http://llm.internal:8000/api/v1",
    OPENAI_API_BASE: "http://llm.internal:8000/api/v1",
    ANTHROPIC_BASE_URL: "https://one.example",
    ANTHROPIC_API_URL: "https://two.example/x",
    AZURE_OPENAI_ENDPOINT: "https://us.openai.azure.com",
    AZURE_API_BASE: "https://us.openai.azure.com",
    GOOGLE_GEMINI_BASE_URL: "https://generativelanguage.googleapis.com",
  });
});

test("calls to this machine are kept from a proxy", () => {
  expect(modelEnvironment({ no_proxy: "intern.example" }, origin, "c1").variables).toMatchObject({
    NO_PROXY: "intern.example,127.0.0.1,localhost",
    no_proxy: "intern.example,127.0.0.1,localhost",
  });
});

test("recorded answers are behind every variable that record follows, with the same path", () => {
  const set = { AZURE_OPENAI_ENDPOINT: "https://one.example", GOOGLE_VERTEX_BASE_URL: "https://two.example" };
  const paths = Object.entries(mapped(set)).map(([name, url]) => [name, new URL(url ?? "").pathname]);
  const replayed = Object.entries(replayVariables({}, `${origin}/r/c1`))
    .filter(([name]) => !/no_proxy/i.test(name))
    .map(([name, url]) => [name, url.slice(`${origin}/r/c1`.length) || "/"]);

  expect(replayed).toEqual(paths);
});
