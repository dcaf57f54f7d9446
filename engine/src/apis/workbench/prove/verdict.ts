/** What is proven about a description, by stream and check. */

export type ProofVerdict = 'provenLive' | 'provenSimulated' | 'notProven'

export const liveChecks = ['paging', 'types', 'order', 'limits'] as const
export const simulatedChecks = ['ties', 'lateCommits', 'deletes', 'cuts', 'kills'] as const
export type ProofCheck = (typeof liveChecks)[number] | (typeof simulatedChecks)[number]

export interface Proof {
  readonly stream: string
  readonly check: ProofCheck
  readonly verdict: ProofVerdict
  /** For people: what was compared, or why it is not proven. */
  readonly why: string
}
