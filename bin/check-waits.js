#!/usr/bin/env node
// Finds code that makes a test depend on the machine's speed: fixed pauses, short time-outs and measured time. Prints file and line of each
// place, and exits with code 1 if there is any. Tests should wait for conditions with `until` of test/support/eventually.ts or
// `expect.poll`.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { parseSync, Visitor } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

const files = process.argv.slice(2);
const tests = {
  patterns: ["test/**/*.{ts,js,mjs}", "adapters/**/*.test.ts"],
  ignored: [
    "test/support/eventually.ts", // the helpers for waiting
    "test/long/**", // long tests, which measure time and are not a part of `npm test`
    "test/fixtures/**", // programs that tests run, for example slow agents
    "test/chaos/faults.js", // changes the clock of a process
  ],
};

/** Maximum duration in milliseconds of a wait in test/support/eventually.ts. A shorter time-out in a test is reported. */
const LONGEST_WAIT_MS = 60_000;

const advice = {
  pause: "a fixed pause: wait for a condition with until() of test/support/eventually.ts",
  timer:
    "a timer: use until(), eventLoopTurns(), simulatedDelay() or repeating() of test/support/eventually.ts",
  wait: "waits for a second by default: use expect.poll or until() of test/support/eventually.ts",
  limit: "a limit of its own: all tests use the one in vitest.config.ts",
  timeOut: `a time-out below ${LONGEST_WAIT_MS / 1000} s: a busy machine needs longer`,
  elapsed: "measured time: assert what happened and in which order, or fake the clock",
};

let found = 0;
const paths =
  files.length > 0
    ? files
    : globSync(tests.patterns, { cwd: root, ignore: tests.ignored, absolute: true }).sort();
for (const path of paths) {
  const text = readFileSync(path, "utf8");
  for (const { at, why } of timeDependences(path, text)) {
    const line = text.slice(0, at).split("\n").length;
    console.error(`${relative(root, path)}:${line}: ${why}`);
    found++;
  }
}
if (found > 0) {
  console.error(`${found} ${found === 1 ? "place depends" : "places depend"} on the machine's speed`);
  process.exit(1);
}

/** Returns the places in a file that depend on time, in order, each with the reason. */
function timeDependences(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const constants = numericConstants(program);
  const places = [];
  const report = (node, why) => places.push({ at: node.start, why });
  new Visitor({
    ImportDeclaration(node) {
      if (/^(?:node:)?timers(?:\/promises)?$/.test(node.source.value)) report(node, advice.pause);
    },
    CallExpression(node) {
      const name = calledName(node);
      if (/^(?:globalThis\.|window\.)?set(?:Timeout|Interval)$/.test(name)) report(node, advice.timer);
      else if (/^vi\.wait(?:For|Until)$/.test(name)) report(node, advice.wait);
      else if (name === "Atomics.wait") report(node, advice.pause);
      else if (
        /^(?:exec|execSync|execFileSync|spawnSync)$/.test(name) &&
        /^sleep\b/.test(literal(node.arguments[0]))
      )
        report(node, advice.pause);
      else if (/\.setDefault(?:Navigation)?Timeout$/.test(name)) {
        if (isShort(node.arguments[0], constants)) report(node, advice.timeOut);
      } else if (isOwnLimit(node, constants)) report(node, advice.limit);
    },
    Property(node) {
      const key = node.key.name ?? node.key.value;
      if (/^(?:test|hook)Timeout$/.test(key)) report(node, advice.limit);
      else if (key === "timeout" && isShort(node.value, constants)) report(node, advice.timeOut);
    },
    BinaryExpression(node) {
      if (isElapsed(node, constants)) report(node, advice.elapsed);
    },
  }).visit(program);
  return places.sort((a, b) => a.at - b.at);
}

/**
 * Returns the name of the called function, for example `test` or `vi.waitFor`. For `test.each(rows)(…)`, returns the name of the inner
 * call, `test.each`.
 */
function calledName({ callee }) {
  return nameOf(callee.type === "CallExpression" ? callee.callee : callee);
}

function nameOf(node) {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed) return "";
  return `${nameOf(node.object)}.${node.property.name}`;
}

function literal(node) {
  return node?.type === "Literal" ? String(node.value) : "";
}

/** Whether the last argument of a test or hook is a number, which is a time-out. */
function isOwnLimit(node, constants) {
  const isTest = /^(?:test|it|describe|(?:before|after)(?:All|Each)|onTestFinished)(?:\.\w+)*$/;
  const last = node.arguments.at(-1);
  return isTest.test(calledName(node)) && node.arguments.length > 1 && numberOf(last, constants) !== null;
}

function isShort(node, constants) {
  const value = node === undefined ? null : numberOf(node, constants);
  return value !== null && value > 0 && value < LONGEST_WAIT_MS;
}

/**
 * Whether an expression measures time: a clock is compared with another time, or one of them is subtracted from the other. An expression
 * with a constant number, such as `Date.now() - 1000`, is allowed, because it only makes another time.
 */
function isElapsed({ operator, left, right }, constants) {
  if (!["-", "<", ">", "<=", ">="].includes(operator)) return false;
  const isClock = (node) =>
    node.type === "CallExpression" &&
    /^(?:performance|Date)\.now$|^process\.hrtime/.test(nameOf(node.callee));
  const other = isClock(left) ? right : isClock(right) ? left : null;
  return other !== null && numberOf(other, constants) === null;
}

/** Returns the value of a number, a product, a sum, or a constant of the file; null for anything else. */
function numberOf(node, constants) {
  if (node.type === "Literal") return typeof node.value === "number" ? node.value : null;
  if (node.type === "Identifier") return constants.get(node.name) ?? null;
  if (node.type !== "BinaryExpression") return null;
  const [left, right] = [numberOf(node.left, constants), numberOf(node.right, constants)];
  if (left === null || right === null) return null;
  if (node.operator === "*") return left * right;
  return node.operator === "+" ? left + right : null;
}

function numericConstants(program) {
  const constants = new Map();
  new Visitor({
    VariableDeclarator({ id, init }) {
      const value = id.type === "Identifier" && init !== null ? numberOf(init, constants) : null;
      if (value !== null) constants.set(id.name, value);
    },
  }).visit(program);
  return constants;
}
