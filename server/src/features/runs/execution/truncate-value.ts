/** Values of rows that are stored for the screen: a thousand long ones would exceed what the store accepts in one statement. */
export function truncateValue(text: string): string {
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…`.toWellFormed() : text
}

const valueLengthMax = 1_000
