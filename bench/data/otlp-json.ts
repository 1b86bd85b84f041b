/** OTLP/JSON, as far as the generator writes it. Ids are hex; 64-bit numbers are decimal strings. */
export interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events?: readonly SpanEvent[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly Span[];
    }[];
    readonly schemaUrl: string;
  }[];
}

export function text(key: string, value: string): KeyValue {
  return { key, value: { stringValue: value } };
}

export function int(key: string, value: number): KeyValue {
  return { key, value: { intValue: String(value) } };
}

export function double(key: string, value: number): KeyValue {
  return { key, value: { doubleValue: value } };
}

export function bool(key: string, value: boolean): KeyValue {
  return { key, value: { boolValue: value } };
}

export function texts(key: string, values: readonly string[]): KeyValue {
  return { key, value: { arrayValue: { values: values.map((one) => ({ stringValue: one })) } } };
}
