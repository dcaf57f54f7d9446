/** Records of the simulated e-conomic, as the API gives them. */
export type EconomicRecord = Readonly<Record<string, unknown>>

/** A record that changes. */
export type OpenRecord = Record<string, unknown>
