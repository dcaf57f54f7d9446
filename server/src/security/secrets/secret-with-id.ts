/** A secret with the id of the row that knows its hash: `<uuid>.<256 bits in base64url>`. */
export interface NamedSecret {
  readonly id: string
  readonly secret: string
}

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/u

/** Null for a text that is none at all. */
export function takeApart(token: string): NamedSecret | null {
  const [, id, secret] = form.exec(token) ?? []
  return id === undefined || secret === undefined ? null : { id, secret }
}

export function putTogether({ id, secret }: NamedSecret): string {
  return `${id}.${secret}`
}
