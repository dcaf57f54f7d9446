/** Returns country and currency of a company: 'New Zealand, NZD'. Empty if neither is known. */
export function formatCompanyLocation(country: string | null, currency: string | null): string {
  return [countryName(country), currency].filter((part) => part !== null).join(', ')
}

const regions = new Intl.DisplayNames('en-GB', { type: 'region' })

function countryName(code: string | null): string | null {
  return code !== null && /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code
}
