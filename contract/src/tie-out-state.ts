/** The result of a comparison with the source's own report. */
import * as z from 'zod'

/**
 * `green`: every account of every period is equal to the cent. `amber`: unknown, or the difference is known not to come
 * from the rows, such as revaluations that only the source computes. `red`: an account differs.
 */
export const tieOutStates = ['green', 'amber', 'red'] as const
export const TieOutState = z.enum(tieOutStates)
export type TieOutState = z.infer<typeof TieOutState>
