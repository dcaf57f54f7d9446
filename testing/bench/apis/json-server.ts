/** A separate process that serves the pages from memory, so that only the reader's work is measured. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageBody, pages } from './json-documents.ts'

const bodies = Array.from({ length: pages }, (_, index) =>
  Buffer.from(pageBody(index + 1, { invoices: 0n, lines: 0n })),
)
const nothing = Buffer.from('{"Page":1,"Total":0,"Invoices":[]}')

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://bench')
  const body = url.pathname.endsWith('/invoices')
    ? (bodies[Number(url.searchParams.get('Page')) - 1] ?? nothing)
    : nothing
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) }).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
