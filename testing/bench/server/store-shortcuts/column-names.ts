/** The driver without renamed columns. */
export function nameColumns(): void {}
