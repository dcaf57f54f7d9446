const pattern = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

/** Returns an error message, or null for a plausible address. */
export function validateEmailAddress(value: string): string | null {
  return pattern.test(value.trim()) ? null : 'Invalid email address'
}
