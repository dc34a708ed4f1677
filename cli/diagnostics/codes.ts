/** Every kind of diagnostic and its usual severity. The list is closed. */
export const codes = {
  // the folder
  "stray-file": "warning",
  "unreadable-file": "error",
  "file-too-large": "error",
  // the text
  "empty-file": "error",
  syntax: "error",
  "several-documents": "error",
  "yaml-directive": "error",
  "lone-surrogate": "error",
  "duplicate-member": "error",
  "complex-key": "error",
  "merge-key": "error",
  "explicit-tag": "error",
  "unresolved-alias": "error",
  "alias-cycle": "error",
  "unused-anchor": "warning",
  "too-deep": "error",
  "too-many-nodes": "error",
  // the shape
  "wrong-type": "error",
  "missing-member": "error",
  "unknown-member": "error",
  "unknown-environment": "error",
  "unknown-operator": "error",
  "unknown-type": "error",
  "bad-name": "error",
  "duplicate-environment": "error",
  // the checks
  "bad-key": "error",
  "duplicate-key": "error",
  "key-differs-in-case": "warning",
  "duplicate-id": "error",
  "wrong-value-type": "error",
  "inexact-integer": "error",
  "not-finite": "error",
  "unquoted-value": "error",
  "several-conditions": "error",
  "too-many-conditions": "error",
  "bad-operand": "error",
  "unreachable-rule": "error",
  "duplicate-rule": "error",
  "bad-expiry": "error",
  // the advice of lint
  "no-effect": "warning",
  "rule-without-effect": "warning",
  expired: "warning",
  "expression-literal": "warning",
  "surrounding-blank": "warning",
  "list-as-text": "warning",
  "empty-operand": "warning",
  "duplicate-item": "warning",
  "version-as-number": "warning",
  // the history
  "shallow-clone": "error",
  "not-in-git": "warning",
  "not-committed": "warning",
  // the specs
  "bad-spec": "error",
  "failed-case": "error",
  // what only a comparison sees
  "type-changed": "warning",
  "removed-while-enabled": "warning",
  "order-changes-results": "warning",
  "percentage-decreased": "warning",
  "percentage-jumped": "warning",
  "on-before-staging": "warning",
} as const satisfies Record<string, Severity>

export type Severity = "error" | "warning"
export type Code = keyof typeof codes
