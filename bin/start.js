#!/usr/bin/env node
// `npm start` sets up the clone and then runs `serve`. Without your own configuration, it uses the example specs.
import "./parent.js";
import "./ensure.js";

// To configure the memory allocator, `serve` may restart the process with this file. The arguments then already begin with `serve`.
if (process.argv[2] !== "serve") process.argv.splice(2, 0, "serve", "--demo");
await import("./tracejury.js");
