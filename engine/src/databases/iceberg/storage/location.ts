/** The parts of the location of an object: `s3://bucket/key`, `abfss://container@account.dfs.core.windows.net/path`. */

export interface LocationParts {
  readonly scheme: string
  /** Empty if the location is not one of object storage. */
  readonly authority: string
  readonly key: string
  /** Scheme and authority, with a slash at the end. */
  readonly root: string
}

export function splitLocation(location: string): LocationParts {
  const [scheme = '', rest = ''] = splitOnce(location, '://')
  const [authority = '', key = ''] = splitOnce(rest, '/')
  return { scheme, authority, key, root: `${scheme}://${authority}/` }
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}
