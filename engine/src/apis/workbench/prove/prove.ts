/** Proves a description stream by stream: on the live account, and on an API that is generated from it. */
import type { ConnectionContext } from '../../../ports/source.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import type { DescribedSettings } from '../../described/settings.ts'
import { proveLive } from './prove-live.ts'
import { proveSimulated } from './prove-simulated.ts'
import { liveChecks, type Proof } from './verdict.ts'

export interface ProofRequest {
  readonly description: SourceDescription
  readonly stream: string
  /** Null: nothing is proven live, because there are no credentials. */
  readonly settings: DescribedSettings | null
  /** Further secrets to mask, such as an access token. */
  readonly secrets?: readonly string[]
}

/** Yields the proofs of a stream, each as soon as it is known. */
export async function* proveStream(request: ProofRequest, around: ConnectionContext): AsyncGenerator<Proof> {
  yield* proveStreamLive(request, around)
  yield* proveStreamSimulated(request, around)
}

export async function* proveStreamLive(
  { description, stream, settings, secrets = [] }: ProofRequest,
  around: ConnectionContext,
): AsyncGenerator<Proof> {
  if (settings !== null) yield* proveLive({ description, settings, stream, secrets }, around)
  else yield* allNotProven(stream, liveChecks, 'Nothing was called, because no credentials were given.')
}

/** Calls nothing but the API that it makes from the description. */
export async function* proveStreamSimulated(
  { description, stream }: ProofRequest,
  around: Pick<ConnectionContext, 'signal'>,
): AsyncGenerator<Proof> {
  yield* proveSimulated({ description, stream, signal: around.signal })
}

function* allNotProven(stream: string, checks: readonly Proof['check'][], why: string): Generator<Proof> {
  for (const check of checks) yield { stream, check, verdict: 'notProven', why }
}

/** The streams that a description names; of an OData service, its entity sets. */
export function streamsIn(description: SourceDescription): readonly string[] {
  return Object.keys(description.engine === 'odata' ? description.sets : description.streams)
}
