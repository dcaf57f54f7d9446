const form = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

/** The check of a form's e-mail field. */
export function emailRule(value: string): string | null {
  return form.test(value.trim()) ? null : 'Invalid email address'
}
