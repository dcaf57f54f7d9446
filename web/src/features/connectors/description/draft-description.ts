/** Writes the beginning of a description of a REST API for the usual case: one list of records. */

export interface DescriptionDraftValues {
  readonly address: string
  readonly signIn: 'bearer' | 'apiKey' | 'basic'
  /** The header that has the key. */
  readonly header: string
  readonly table: string
  readonly path: string
  /** A JSON Pointer to the list of records in a reply; empty if the reply is the list. */
  readonly records: string
  readonly key: string
  /** One column a line: its name and its type. */
  readonly columns: string
  readonly paging: 'none' | 'nextLink' | 'pageNumber'
  /** The pointer to the link, or the name of the parameter. */
  readonly pageBy: string
  /** The parameter with the size of a numbered page; empty if the API has none. */
  readonly sizeBy: string
  /** Without such a parameter: why no record moves to another page. */
  readonly stable: string
}

export function draftDescription(values: DescriptionDraftValues): string {
  const { address, table, path, records, key } = values
  const base = address.endsWith('/') ? address : `${address}/`
  const host = URL.parse(base)?.hostname ?? ''
  return `engine: rest
title: ${quoted(host)}
base: ${quoted(base)}
hosts: [${quoted(host)}]
signIn: ${signInOf(values)}
pace: { calls: 60, seconds: 60 }
check: { path: ${quoted(path)} }
streams:
  ${table}:
    path: ${quoted(path)}
    records: ${quoted(records)}
    paging: ${pagingOf(values)}
    key: [${quoted(key)}]
    columns:
${columnsOf(values)}
`
}

function signInOf({ signIn, header }: DescriptionDraftValues): string {
  switch (signIn) {
    case 'bearer':
      return '{ kind: bearer, token: key }'
    case 'apiKey':
      return `{ kind: apiKey, keys: [{ in: header, name: ${quoted(header)}, setting: key }] }`
    case 'basic':
      return '{ kind: basic, user: user, password: password }'
  }
}

const pageRows = 100

function pagingOf({ paging, pageBy, sizeBy, stable }: DescriptionDraftValues): string {
  switch (paging) {
    case 'none':
      return '{ kind: none }'
    case 'nextLink':
      return `{ kind: nextLink, at: ${quoted(pageBy)} }`
    case 'pageNumber':
      return `{ kind: pageNumber, parameter: ${quoted(pageBy)}, ${sizeBy.trim() === '' ? `stable: ${quoted(stable)}` : `size: { parameter: ${quoted(sizeBy)}, rows: ${pageRows} }`} }`
  }
}

function columnsOf({ columns }: DescriptionDraftValues): string {
  return columns
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...type] = line.split(/\s+/u)
      return `      ${name.replace(/:$/u, '')}: ${quoted(type.join(' ') || 'text')}`
    })
    .join('\n')
}

/** JSON texts are YAML. */
function quoted(text: string): string {
  return JSON.stringify(text.trim())
}
