/** Columns of the tables of monthly reports. */
export const monthColumn = 'month'
export const balanceColumn = 'balance_at'
export const linesEnding = '_line'

export const monthText = 'The first day of the month of the figures.'
export const balanceText = 'Whether the figure is that at the start or at the end of the month: start, end.'

/** For people: why its rows are not sampled. */
export const reportReason =
  'Its rows are figures that the source computes for each month. Every run reads the latest again.'
