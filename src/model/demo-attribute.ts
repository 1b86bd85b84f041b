/** Resource attribute that marks the demo runs of `npm start`. */
export const DEMO_ATTRIBUTE = "tracejury.demo";
