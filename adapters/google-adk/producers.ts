import { contentEvidence, genaiContent, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Google ADK",
    scopes: ["gcp.vertex.agent"],
    switches: [
      {
        gives: contentEvidence,
        set: `ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true; newer schemas: ${genaiContent}=SPAN_AND_EVENT`,
      },
    ],
    page: "google-adk.md",
  },
];
