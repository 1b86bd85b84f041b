#!/usr/bin/env node
// `npm start`: sets the clone up, then serves. Without a configuration of your own it shows the example specs at work.
import "./parent.js";
import "./ensure.js";

// `serve` may start this file again, to set its allocator up: the arguments are then there already.
if (process.argv[2] !== "serve") process.argv.splice(2, 0, "serve", "--demo");
await import("./tracejury.js");
