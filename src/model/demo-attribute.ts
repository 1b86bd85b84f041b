/** Resource attribute of the runs that `npm start` sends to show the page. */
export const DEMO_ATTRIBUTE = "tracejury.demo";
