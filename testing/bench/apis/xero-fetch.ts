/** Fetches and parses the pages that a run requests, five at a time as Xero allows. Started by `xero.ts`. */
import { reportMeasured } from '../measure.ts'
import type { BenchCompany } from './xero-server.ts'

export interface FetchJob {
  readonly company: BenchCompany
  readonly pages: readonly string[]
}

const { company, pages } = JSON.parse(process.argv[2] ?? '') as FetchJob
const headers = {
  authorization: `Bearer ${company.accessToken}`,
  'xero-tenant-id': company.tenantId,
  accept: 'application/json',
}
const left = pages.map((page) => new URL(page, company.api))

async function fetchSome(): Promise<void> {
  for (let page = left.shift(); page !== undefined; page = left.shift()) {
    const answer = await fetch(page, { headers })
    if (!answer.ok) throw new Error(`${page.href} answered ${answer.status}.`)
    await answer.json()
  }
}

const since = performance.now()
await Promise.all(Array.from({ length: 5 }, fetchSome))
reportMeasured((performance.now() - since) / 1_000)
