import { colourTheme, plainTheme, type Theme } from "../../report/render/terminal/printable.ts";
import { type Io, wantsColour, write } from "../../support/process/io.ts";

/** Returns the colour theme for a command's output; without colours if the stream is not a terminal. */
export function themeOf(io: Io, stream: NodeJS.WriteStream = io.stdout): Theme {
  return wantsColour(stream, io.env) ? colourTheme : plainTheme;
}

/** Prints a report to stdout with the renderer of the format. If the renderer returns an object, prints one line of JSON. `width` is the width of the terminal, if the output is one. */
export async function printReport<Format extends string>(
  io: Io,
  format: Format,
  renderers: Readonly<Record<NoInfer<Format>, (theme: Theme, width: number | undefined) => string | object>>,
): Promise<void> {
  const report = renderers[format](themeOf(io), io.stdout.isTTY ? io.stdout.columns : undefined);
  await write(io.stdout, typeof report === "string" ? report : `${JSON.stringify(report)}\n`);
}
