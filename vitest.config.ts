import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "adapters/**/*.test.ts"],
    exclude: ["test/long/**", "**/node_modules/**"],
    testTimeout: 30_000,
    reporters: process.env["CI"]
      ? ["default", ["json", { outputFile: ".vitest/results.json" }]]
      : ["default"],
  },
});
