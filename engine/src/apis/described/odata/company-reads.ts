/** Reads a table company by company, each with its own checkpoint. */
import type { Checkpoint, RowBatch } from '../../../ports/model.ts'

export async function* readByCompany(
  companies: Iterable<string>,
  since: Checkpoint | null,
  read: (company: string, since: Checkpoint | null) => AsyncIterable<RowBatch>,
): AsyncGenerator<RowBatch> {
  const present = [...companies]
  const before = companyCheckpoints(since)
  // A company that is not read now is read from its beginning when it returns, because a key comparison may delete its rows.
  const reached = new Map([...before].filter(([company]) => present.includes(company)))
  for (const company of present)
    for await (const batch of read(company, reached.get(company) ?? null)) {
      if (batch.checkpoint === undefined) {
        yield batch
        continue
      }
      reached.set(company, batch.checkpoint)
      yield { ...batch, checkpoint: companiesCheckpoint(reached) }
    }
}

export function companyCheckpoints(checkpoint: Checkpoint | null): ReadonlyMap<string, Checkpoint> {
  const companies = checkpoint?.['companies']
  return new Map(typeof companies === 'string' ? (JSON.parse(companies) as [string, Checkpoint][]) : [])
}

/** Its form is that of the progress of tables that are read by date. */
export function companiesCheckpoint(companies: ReadonlyMap<string, Checkpoint>): Checkpoint {
  return { companies: JSON.stringify([...companies]) }
}
