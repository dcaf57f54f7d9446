/** Replacement without renamed columns in the driver. */
export function nameColumns(): void {}
