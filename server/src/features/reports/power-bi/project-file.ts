export interface ProjectFile {
  /** With slashes; ASCII. */
  readonly path: string
  readonly text: string
}

export function json(path: string, value: object): ProjectFile {
  return { path, text: `${JSON.stringify(value, null, 2)}\n` }
}
