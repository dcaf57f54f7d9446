/** Line drawings of the sources on a 24 × 24 grid, by connector type. One stroke width, one soft fill. */
import type { ReactNode } from 'react'

const softFill = { fill: 'currentColor', fillOpacity: 0.22 }

/** The cylinder that all databases share. */
const cylinder = (
  <>
    <path {...softFill} d="M5 6.5v11c0 1.4 3.1 2.5 7 2.5s7-1.1 7-2.5v-11" />
    <ellipse cx="12" cy="6.5" rx="7" ry="2.5" />
  </>
)

export const connectorDrawings: Readonly<Record<string, ReactNode>> = {
  postgres: (
    <>
      {cylinder}
      <path d="M10 17v-5.5h2.3a1.7 1.7 0 0 1 0 3.5H10" />
    </>
  ),
  mysql: (
    <>
      {cylinder}
      <path d="M8 14.5c1.4-1.6 2.6-1.6 4 0s2.6 1.6 4 0" />
    </>
  ),
  sqlserver: (
    <>
      <rect {...softFill} x="4" y="4" width="16" height="7" rx="2" />
      <rect {...softFill} x="4" y="13" width="16" height="7" rx="2" />
      <path d="M8 7.5h.01M8 16.5h.01M12 7.5h4M12 16.5h4" />
    </>
  ),
  cin7: (
    <>
      <path {...softFill} d="M12 3.5 19.5 7.5v9L12 20.5l-7.5-4v-9z" />
      <path d="m4.5 7.5 7.5 4 7.5-4M12 11.5v9M8.2 5.5l7.6 4.1" />
    </>
  ),
  uniconta: (
    <>
      <path {...softFill} d="M6 4h10a2 2 0 0 1 2 2v14H8a2 2 0 0 1-2-2z" />
      <path d="M6 18a2 2 0 0 1 2-2h10M10 8.5h4M10 12h4" />
    </>
  ),
  xero: (
    <>
      <path {...softFill} d="M6 3.5h12v17l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5-2 1.5z" />
      <path d="M9.5 8h5M9.5 11.5h5M9.5 15h2" />
    </>
  ),
  excel: (
    <>
      <rect {...softFill} x="4" y="4" width="16" height="16" rx="2.5" />
      <path d="M4 9.3h16M4 14.7h16M10 4v16" />
    </>
  ),
}
