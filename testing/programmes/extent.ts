/** The extent of a programme: a slice with `npm run programme -- slices`, the full programme with `npm run soak`. */
export const isFull = process.env['TRIBUTARY_SOAK'] === 'full'
export const seed = Number(process.env['TRIBUTARY_SOAK_SEED'] ?? 20_261_120)

/** Prints a line for docs/reliability.md. */
export function printFigure(figure: string): void {
  process.stdout.write(`programme: ${figure}; seed ${seed}\n`)
}
