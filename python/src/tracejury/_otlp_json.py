"""Encodes spans and log records of the OpenTelemetry SDK as OTLP/JSON, so that no exporter is needed."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# Objects of the SDK have the type `Any`, because their types differ between versions of the SDK.


def traces_request(spans: Iterable[Any]) -> bytes:
    """Returns the body of an export request with these `ReadableSpan`s."""
    groups = _grouped(spans, lambda span: (span.resource, span.instrumentation_scope), _span)
    return _request("resourceSpans", "scopeSpans", "spans", groups)


def logs_request(records: Iterable[Any]) -> bytes:
    """Returns the body of an export request with these records, as the SDK passes them to a log record processor."""

    def owner(data: Any) -> tuple[Any, Any]:
        resource = getattr(data, "resource", None) or getattr(data.log_record, "resource", None)
        return resource, data.instrumentation_scope

    return _request("resourceLogs", "scopeLogs", "logRecords", _grouped(records, owner, _log_record))


Groups = list[tuple[Any, Any, list[dict[str, Any]]]]


def _grouped(
    items: Iterable[Any], owner: Callable[[Any], tuple[Any, Any]], encode: Callable[[Any], dict[str, Any]]
) -> Groups:
    groups: dict[tuple[int, int], tuple[Any, Any, list[dict[str, Any]]]] = {}
    for item in items:
        resource, scope = owner(item)
        _, _, encoded = groups.setdefault((id(resource), id(scope)), (resource, scope, []))
        encoded.append(encode(item))
    return list(groups.values())


def _request(resources: str, scopes: str, items: str, groups: Groups) -> bytes:
    request = {
        resources: [
            {
                "resource": {"attributes": _attributes(getattr(resource, "attributes", None))},
                scopes: [{"scope": _scope(scope), items: encoded}],
            }
            for resource, scope, encoded in groups
        ]
    }
    return json.dumps(request).encode()


def _scope(scope: Any) -> dict[str, Any]:
    if scope is None:
        return {}
    return {
        "name": scope.name,
        "version": scope.version or "",
        "attributes": _attributes(getattr(scope, "attributes", None)),
    }


def _span(span: Any) -> dict[str, Any]:
    context = span.get_span_context()
    encoded: dict[str, Any] = {
        **_ids(context),
        "name": span.name,
        # In the API, INTERNAL is 0; in OTLP, UNSPECIFIED is 0.
        "kind": span.kind.value + 1,
        "startTimeUnixNano": str(span.start_time or 0),
        "endTimeUnixNano": str(span.end_time or 0),
        "attributes": _attributes(span.attributes),
        "events": [
            {"name": event.name, "timeUnixNano": str(event.timestamp), "attributes": _attributes(event.attributes)}
            for event in span.events
        ],
        "links": [{**_ids(link.context), "attributes": _attributes(link.attributes)} for link in span.links],
        "status": {"code": span.status.status_code.value, "message": span.status.description or ""},
        "flags": int(context.trace_flags),
    }
    if span.parent is not None:
        encoded["parentSpanId"] = format(span.parent.span_id, "016x")
    return encoded


def _log_record(data: Any) -> dict[str, Any]:
    record = data.log_record
    severity = record.severity_number
    encoded: dict[str, Any] = {
        "timeUnixNano": str(record.timestamp or 0),
        "observedTimeUnixNano": str(record.observed_timestamp or 0),
        "severityNumber": 0 if severity is None else severity.value,
        "severityText": record.severity_text or "",
        "body": _value(record.body),
        "attributes": _attributes(record.attributes),
        "eventName": getattr(record, "event_name", None) or "",
    }
    if record.trace_id:
        encoded["traceId"] = format(record.trace_id, "032x")
        encoded["spanId"] = format(record.span_id or 0, "016x")
    return encoded


def _ids(context: Any) -> dict[str, str]:
    return {"traceId": format(context.trace_id, "032x"), "spanId": format(context.span_id, "016x")}


def _attributes(attributes: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in (attributes or {}).items()]


def _value(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        # JSON parsers do not accept NaN and Infinity as Python writes them.
        return {"doubleValue": value if abs(value) < float("inf") else str(value)}
    if isinstance(value, bytes):
        return {"bytesValue": base64.b64encode(value).decode()}
    if isinstance(value, Mapping):
        return {"kvlistValue": {"values": _attributes({str(key): each for key, each in value.items()})}}
    if isinstance(value, Iterable):
        return {"arrayValue": {"values": [_value(each) for each in value]}}
    return {"stringValue": str(value)}
