#!/usr/bin/env node
// `npm start` sets up the clone and then runs `serve`. Without your own configuration, it uses the example specs.
import "./parent.js";
import "./ensure.js";

// `serve` may restart this file to configure the memory allocator; the arguments are then already complete.
if (process.argv[2] !== "serve") process.argv.splice(2, 0, "serve", "--demo");
await import("./tracejury.js");
