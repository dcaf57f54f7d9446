import { formatCountry } from '../../ui/formats.ts'

/** Returns country and currency of a company: 'New Zealand, NZD'. Empty if neither is known. */
export function formatCompanyLocation(country: string | null, currency: string | null): string {
  return [countryName(country), currency].filter((part) => part !== null).join(', ')
}

function countryName(code: string | null): string | null {
  return code !== null && /^[A-Z]{2}$/.test(code) ? formatCountry(code) : code
}
