/** The product's logo: streams that flow into one. */
export function BrandLogo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#006d89" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M8 7c0 6 8 5 8 12v6" />
        <path d="M24 7c0 6-8 5-8 12" stroke="#b6e3f4" />
        <path d="M16 6v6" stroke="#8ad0e9" />
      </g>
    </svg>
  )
}
