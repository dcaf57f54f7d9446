/** A secret with the id of the row that holds its hash: `<uuid>.<256 bits in base64url>`. */
export interface SecretWithId {
  readonly id: string
  readonly secret: string
}

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/u

/** Null if the text has another form. */
export function parseSecretWithId(token: string): SecretWithId | null {
  const [, id, secret] = form.exec(token) ?? []
  return id === undefined || secret === undefined ? null : { id, secret }
}

export function formatSecretWithId({ id, secret }: SecretWithId): string {
  return `${id}.${secret}`
}
