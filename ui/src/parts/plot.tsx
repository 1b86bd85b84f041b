import type uPlot from "uplot";
import { useEffect, useRef } from "../hooks.ts";
import { theme } from "../theme.ts";

type Options = Omit<uPlot.Options, "width">;

/** A plot with the width of its container. `label` describes the plot in words, for screen readers. */
export function Plot(props: {
  options: (colour: Colour) => Options;
  data: uPlot.AlignedData;
  label: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const colours = theme.value;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const options = props.options((name) => colourOf(element, name));
    const drawn = draw(element, options, props.data);
    return () => void takeAway(drawn);
  }, [props.data, colours]);
  return <div ref={place} class="plot" role="img" aria-label={props.label} />;
}

/** Draws a plot with the library uPlot, which is loaded at first use. Returns a function that removes the plot. */
async function draw(element: HTMLElement, options: Options, data: uPlot.AlignedData): Promise<() => void> {
  try {
    withKnownLocale();
    const { default: Library } = await import("uplot");
    const plot = new Library({ ...options, width: element.clientWidth }, data, element);
    const fit = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: options.height }),
    );
    fit.observe(element);
    return () => {
      fit.disconnect();
      plot.destroy();
    };
  } catch (error) {
    element.textContent = `This browser cannot draw the plot: ${String(error)}`;
    return () => undefined;
  }
}

/**
 * Replaces a browser language that the library does not accept. When the library is loaded, it formats numbers in the browser's language,
 * and throws for names such as `en-US@posix`.
 */
function withKnownLocale(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
}

async function takeAway(drawn: Promise<() => void>): Promise<void> {
  (await drawn)();
}

/** Function that returns a colour of the style sheet by its name. */
export type Colour = (name: string) => string;

function colourOf(element: Element, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** Returns the options of an axis in the colours of the page. */
export function axis(colour: Colour, more: Partial<uPlot.Axis> = {}): uPlot.Axis {
  const line = { stroke: colour("line"), width: 1 };
  return { stroke: colour("quiet"), grid: line, ticks: line, font: "11px system-ui", ...more };
}
