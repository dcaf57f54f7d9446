/** How much of a programme is gone through: a slice with every test run, all of it with `npm run soak`. */
export const isFull = process.env['TRIBUTARY_SOAK'] === 'full'
export const seed = Number(process.env['TRIBUTARY_SOAK_SEED'] ?? 20_261_120)

/** One line for docs/reliability.md. */
export function tell(figure: string): void {
  process.stdout.write(`programme: ${figure}; seed ${seed}\n`)
}
