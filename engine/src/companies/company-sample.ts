/** Reads documents of every company again for verification. */
import { encodeRow } from '../encoding/copy-text.ts'
import { companyCheckpoints } from '../ports/companies.ts'
import type { DocumentSample, NoSample, SampleRequest } from '../ports/document-sample.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type { CompanyRows } from './company-rows.ts'

interface SampledCompany {
  readonly id: string
  readonly source: OpenSource
  readonly original: Stream
  readonly rows: CompanyRows
}

interface CompaniesOfSample {
  readonly companies: readonly SampledCompany[]
  /** No other company has rows in the target. */
  readonly isAll: boolean
}

/** The calls are shared out between the companies. */
export async function sampleCompanies(
  { companies, isAll }: CompaniesOfSample,
  stream: Stream,
  request: SampleRequest,
): Promise<DocumentSample | NoSample> {
  if (stream.isByCompany !== true) return { reason: 'It lists the companies of the connector, which are not read.' }
  if (stream.table.key.length === 0) return { reason: 'Its rows have no key, so those of one company cannot be found.' }
  const shuffled = rotate(companies, request.position)
  const samples: DocumentSample[] = []
  let calls = request.calls
  for (const [at, company] of shuffled.entries()) {
    const left = shuffled.length - at
    const own = Math.ceil(calls / left)
    if (own === 0) break
    calls -= own
    const found = await sampleCompany(company, {
      ...request,
      calls: own,
      documents: Math.ceil(request.documents / shuffled.length),
    })
    if ('reason' in found) return found
    samples.push(found)
  }
  const [first] = samples
  if (first === undefined) return { reason: 'No company can be read now.' }
  return join(samples, isAll && samples.length === companies.length)
}

function rotate<T>(items: readonly T[], position: number): readonly T[] {
  const start = Math.floor(position * items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}

async function sampleCompany(
  { id, source, original, rows }: SampledCompany,
  request: SampleRequest,
): Promise<DocumentSample | NoSample> {
  const checkpoint = companyCheckpoints(request.checkpoint).get(id) ?? null
  const found = (await source.sample?.(original, { ...request, checkpoint })) ?? { reason: 'Nothing can be compared.' }
  if ('reason' in found) return found
  const prefix = encodeRow([id]).slice(0, -1)
  const withCompany = (key: string): string => `${prefix}\t${key}`
  return {
    ...found,
    batches: found.batches.map((batch) => rows.shape(batch)),
    listed: found.listed.map(withCompany),
    changed: found.changed === null ? null : new Set([...found.changed].map(withCompany)),
  }
}

function join(samples: readonly DocumentSample[], isAll: boolean): DocumentSample {
  const ignored = [...new Set(samples.flatMap(({ ignoredColumns = [] }) => ignoredColumns))]
  const months = samples.reduce((sum, { reportMonths = 0 }) => sum + reportMonths, 0)
  return {
    batches: samples.flatMap(({ batches }) => batches),
    listed: samples.flatMap(({ listed }) => listed),
    isComplete: isAll && samples.every(({ isComplete }) => isComplete),
    count: isAll ? joinCounts(samples.map(({ count }) => count)) : null,
    // Where one company does not report what changed, any document may have.
    changed: samples.every(({ changed }) => changed !== null)
      ? new Set(samples.flatMap(({ changed }) => [...(changed ?? [])]))
      : null,
    ...(ignored.length > 0 && { ignoredColumns: ignored }),
    ...(months > 0 && { reportMonths: months }),
  }
}

function joinCounts(counts: readonly DocumentSample['count'][]): DocumentSample['count'] {
  const [first = null] = counts
  if (first === null || counts.some((count) => count === null || count.table !== first.table)) return null
  return { ...first, rows: counts.reduce((sum, count) => sum + (count?.rows ?? 0), 0) }
}
