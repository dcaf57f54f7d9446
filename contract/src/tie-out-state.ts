/** What a comparison with the source's own report came to. */
import * as z from 'zod'

/**
 * `green`: every account of every period is equal to the cent. `amber`: it could not be told, or what differs is known to be beyond
 * the rows (revaluations that only the source computes). `red`: an account differs.
 */
export const tieOutStates = ['green', 'amber', 'red'] as const
export const TieOutState = z.enum(tieOutStates)
export type TieOutState = z.infer<typeof TieOutState>
