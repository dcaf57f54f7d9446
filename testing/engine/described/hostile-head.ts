/** How the descriptions of the hostile API and the hostile service begin. */

/** @param path of the base address at the host */
export function hostileHead({
  engine,
  title,
  path,
}: {
  readonly engine: 'rest' | 'odata'
  readonly title: string
  readonly path: string
}): string {
  return `format: 1
type: hostile
engine: ${engine}
title: ${title}
needs: A token.
about: Documents with lines.
guide: [Ask for a token.]
settings:
  token: { label: Token, kind: secret }
base: https://api.hostile.example/${path}/
hosts: [api.hostile.example]
signIn: { kind: bearer, token: token }
pace: { calls: 1000, seconds: 1 }
`
}
