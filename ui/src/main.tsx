import { render } from "preact";
import { App } from "./app.tsx";
import { followKeys } from "./keys.ts";
import { followLinks } from "./route.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
followLinks();
followKeys();
const root = document.querySelector("#app");
if (root !== null) render(<App />, root);
