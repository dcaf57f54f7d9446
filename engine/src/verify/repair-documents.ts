/** Repairs documents of a source without SQL through the load of the target: those that were read again are written, others are deleted. */
import { encodeRows } from '../encoding/copy-text.ts'
import type { RowBatch } from '../ports/model.ts'
import type { VerifyRequest } from '../ports/verification.ts'
import type { ComparedRow } from '../ports/verified-table.ts'
import { compareDocuments } from './compare-documents.ts'
import { prepareRepair } from './repair.ts'
import type { FoundInSample, SampledStream } from './sampled-documents.ts'

/** Afterwards the documents are compared once more. Only differences that are certain are repaired. */
export async function repairDocuments(
  request: VerifyRequest,
  sampled: SampledStream,
  found: readonly FoundInSample[],
): Promise<readonly FoundInSample[]> {
  const { target, log, signal } = request
  const { stream, sample } = sampled
  const certain = found.filter(({ isPending, difference }) => !isPending && difference.cause !== 'rejected')
  const reason =
    stream.table.key.length === 0
      ? 'Its rows have no key, so the next full run repairs them.'
      : await prepareRepair({ source: request.source, target, stream, log, signal })
  if (reason !== null) {
    log(`${stream.name}: ${reason}`)
    return found
  }
  await deleteAdditional(request, sampled, certain)
  await write(request, sampled, [...sample.batches, ...(await readMissing(request, sampled, certain))])
  const after = await compareDocuments(request, sampled)
  const left = new Set(after.found.map(({ difference }) => nameOf(difference)))
  return found.map((one) =>
    certain.includes(one) && one.encodedKey !== null && !left.has(nameOf(one.difference))
      ? { ...one, difference: { ...one.difference, isRepaired: true } }
      : one,
  )
}

function nameOf({ table, key, kind }: FoundInSample['difference']): string {
  return JSON.stringify([table, key, kind])
}

function isOfMain({ table }: SampledStream, { difference }: FoundInSample): boolean {
  return difference.table === table.copy.name
}

async function deleteAdditional(
  request: VerifyRequest,
  sampled: SampledStream,
  certain: readonly FoundInSample[],
): Promise<void> {
  const keys = certain.flatMap((one) =>
    one.difference.kind === 'additional' && isOfMain(sampled, one) && one.encodedKey !== null ? [one.encodedKey] : [],
  )
  if (keys.length === 0) return
  const { name } = sampled.stream.table
  await write(request, sampled, [{ table: name, bytes: encodeRows(keys), rows: keys.length, deletes: true }])
}

/** Documents that the source lists and that were not read again. Sources that report their deletions cannot read by key. */
async function readMissing(
  { source, log }: VerifyRequest,
  sampled: SampledStream,
  certain: readonly FoundInSample[],
): Promise<readonly RowBatch[]> {
  const { stream } = sampled
  const keys: ComparedRow[] = certain.flatMap((one) =>
    one.difference.kind === 'missing' && isOfMain(sampled, one) && one.encodedKey !== null ? [one.encodedKey] : [],
  )
  if (keys.length === 0 || stream.keyComparison === 'never') return []
  const batches: RowBatch[] = []
  for await (const batch of source.readByKey?.(stream, encodeRows(keys), { encoding: 'text', log }) ?? [])
    batches.push(batch)
  return batches
}

async function write(
  { target, signal }: VerifyRequest,
  { stream }: SampledStream,
  batches: readonly RowBatch[],
): Promise<void> {
  const stored = (await target.state(stream)).checkpoint ?? {}
  await using load = await target.load(stream, { kind: 'merge' })
  for (const batch of batches) await load.write(batch)
  signal.throwIfAborted()
  await load.commit(stored)
}
