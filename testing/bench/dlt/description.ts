/** The description with which Tributary reads the documents of the API. */
import type { SourceDescription } from '@tributary/engine/apis/described/description/source-description'
import { parseDescription } from '@tributary/engine/apis/described/description/parse'

export type Paging = 'links' | 'pages'

const lists: Readonly<Record<Paging, string>> = {
  links: `path: changes
    paging: { kind: nextLink, at: /next }
    changes: { kind: cursor, column: changed, from: { parameter: changed_since }, order: none }
    deletes: { kind: status, at: /deleted, equals: [true] }`,
  pages: `path: documents
    paging: { kind: pageNumber, parameter: page, size: { parameter: size, rows: 1000 }, total: /total }
    changes: { kind: cursor, column: changed, from: { parameter: changed_since }, order: none }
    deletes: { kind: keys }`,
}

export function documentDescription(paging: Paging): SourceDescription {
  const { description, problems } = parseDescription(`format: 1
type: documents
engine: rest
title: Documents
needs: Nothing.
about: Documents with lines.
guide: [Start the API.]
settings:
  token: { label: Token, kind: secret }
base: https://api.documents.example/v1/
hosts: [api.documents.example]
signIn: { kind: bearer, token: token }
pace: { calls: 1000, seconds: 1 }
check: { path: documents }
streams:
  document:
    ${lists[paging]}
    records: /data
    key: [id]
    columns:
      id: bigint
      number: text(20)
      customer: text(200)
      total: decimal(38,10)
      rate: decimal(38,10)
      paid: boolean
      note: text
      changed: instant(3)
    children:
      document_line:
        records: /lines
        columns:
          sku: text(40)
          name: text
          quantity: integer
          amount: decimal(38,10)
`)
  if (description === null) throw new Error(JSON.stringify(problems))
  return description
}
