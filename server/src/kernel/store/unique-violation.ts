/** True if the error is that of a unique index, of any or of the named one. */
export function isUniqueViolation(error: unknown, index?: string): boolean {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown }
  return code === '23505' && (index === undefined || constraint === index)
}
