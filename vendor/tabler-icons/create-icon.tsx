import type { ReactElement, SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  readonly size?: number
  /** Line width on the grid of 24 units. */
  readonly stroke?: number
}

export type Icon = (props: IconProps) => ReactElement

/** Screen readers skip icons, because the text next to an icon or the label of its button says the same. */
export function createIcon(path: string): Icon {
  return ({ size = 16, stroke = 2, ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      {...rest}
    >
      <path d={path} />
    </svg>
  )
}
