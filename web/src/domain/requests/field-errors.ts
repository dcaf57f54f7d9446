import { CallError } from '@tributary/client/call-error'

/** The server's messages by the name of the field in the form, which is the last part of its path in the request. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof CallError)) return {}
  return Object.fromEntries(Object.entries(error.fields).map(([path, text]) => [path.split('.').at(-1) ?? path, text]))
}
