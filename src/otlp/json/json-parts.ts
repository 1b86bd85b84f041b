import { JsonAttributeReader } from "./values/json-attributes.ts";
import { JsonScalars } from "./values/json-scalars.ts";
import { JsonScanner } from "./json-scanner.ts";
import { JsonValueReader } from "./values/json-values.ts";

/** The readers of the parts of an OTLP/JSON document, which all use the same scanner. */
export class JsonParts {
  readonly scanner = new JsonScanner();
  readonly values = new JsonValueReader(this.scanner);
  readonly lists = new JsonAttributeReader(this.scanner, this.values);
  readonly scalars = new JsonScalars(this.scanner, this.values);
}
