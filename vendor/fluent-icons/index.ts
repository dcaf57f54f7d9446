/**
 * The icons that the task pane and its Fluent components draw: outlines of Fluent System Icons (MIT, see LICENSE). This package stands
 * in for the one of the same name, whose thousands of icons would add 300 MB to every first start. If a component needs another icon,
 * the build fails with its name: add it here with the `d` attribute of the path in its SVG.
 */
import { makeStyles, mergeClasses } from '@griffel/react'
import { createContext, createElement, type SVGProps } from 'react'

/** Class names that the styles of Fluent's buttons select. */
export const iconFilledClassName = 'fui-Icon-filled'
export const iconRegularClassName = 'fui-Icon-regular'

/** Fluent's provider requires it. The writing direction is ignored because none of these icons is mirrored. */
export const IconDirectionContextProvider = createContext<{ readonly textDirection?: 'ltr' | 'rtl' } | undefined>(
  undefined,
).Provider

const useStyles = makeStyles({
  root: {
    display: 'inline',
    lineHeight: 0,
    // By default browsers preserve the colours of an SVG in high-contrast mode.
    '@media (forced-colors: active)': { forcedColorAdjust: 'auto' },
  },
})

function createIcon(name: string, size: number | '1em', path: string) {
  const grid = size === '1em' ? 20 : size
  function Icon({ className, ...rest }: SVGProps<SVGSVGElement>) {
    const isNamed = rest['aria-label'] !== undefined || rest['aria-labelledby'] !== undefined
    const attributes: SVGProps<SVGSVGElement> = {
      ...rest,
      ...(isNamed ? { role: 'img' } : { 'aria-hidden': true }),
      className: mergeClasses('fui-Icon', useStyles().root, className),
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${grid} ${grid}`,
      width: size,
      height: size,
      fill: 'currentColor',
    }
    return createElement('svg', attributes, createElement('path', { d: path, fill: 'currentColor' }))
  }
  Icon.displayName = name
  return Icon
}

export const ArrowLeftRegular = createIcon(
  'ArrowLeftRegular',
  '1em',
  'M9.16 16.87a.5.5 0 1 0 .67-.74L3.67 10.5H17.5a.5.5 0 0 0 0-1H3.67l6.16-5.63a.5.5 0 0 0-.67-.74L2.24 9.44a.75.75 0 0 0 0 1.11z',
)
export const Checkmark12Filled = createIcon(
  'Checkmark12Filled',
  12,
  'M9.76 3.2c.3.29.32.76.04 1.06l-4.25 4.5a.75.75 0 0 1-1.08.02L2.22 6.53a.75.75 0 0 1 1.06-1.06l1.7 1.7L8.7 3.24a.75.75 0 0 1 1.06-.04',
)
export const Checkmark16Filled = createIcon(
  'Checkmark16Filled',
  16,
  'M14.05 3.49c.28.3.27.77-.04 1.06l-7.93 7.47A.85.85 0 0 1 4.9 12L2.22 9.28a.75.75 0 1 1 1.06-1.06l2.24 2.27 7.47-7.04a.75.75 0 0 1 1.06.04',
)
export const CheckmarkCircle12Filled = createIcon(
  'CheckmarkCircle12Filled',
  12,
  'M1 6a5 5 0 1 1 10 0A5 5 0 0 1 1 6m7.35-.9a.5.5 0 1 0-.7-.7L5.5 6.54 4.35 5.4a.5.5 0 1 0-.7.7l1.5 1.5c.2.2.5.2.7 0z',
)
export const CheckmarkCircleFilled = createIcon(
  'CheckmarkCircleFilled',
  '1em',
  'M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16m3.36 5.65a.5.5 0 0 0-.64-.06l-.07.06L9 11.3 7.35 9.65l-.07-.06a.5.5 0 0 0-.7.7l.07.07 2 2 .07.06c.17.11.4.11.56 0l.07-.06 4-4 .07-.08a.5.5 0 0 0-.06-.63',
)
export const ChevronDownRegular = createIcon(
  'ChevronDownRegular',
  '1em',
  'M15.85 7.65c.2.2.2.5 0 .7l-5.46 5.49a.55.55 0 0 1-.78 0L4.15 8.35a.5.5 0 1 1 .7-.7L10 12.8l5.15-5.16c.2-.2.5-.2.7 0',
)
export const CircleFilled = createIcon('CircleFilled', '1em', 'M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16')
export const DiamondDismiss12Filled = createIcon(
  'DiamondDismiss12Filled',
  12,
  'M4.59 1.09a2 2 0 0 1 2.82 0l3.5 3.5a2 2 0 0 1 0 2.82l-3.5 3.5a2 2 0 0 1-2.82 0l-3.5-3.5a2 2 0 0 1 0-2.83zm3.26 3.06a.5.5 0 0 0-.7 0L6 5.29 4.85 4.15a.5.5 0 0 0-.7.7L5.29 6 4.15 7.15a.5.5 0 0 0 .7.7L6 6.71l1.15 1.14a.5.5 0 1 0 .7-.7L6.71 6l1.14-1.15a.5.5 0 0 0 0-.7',
)
export const DiamondDismissFilled = createIcon(
  'DiamondDismissFilled',
  '1em',
  'M7.88 1.88a3 3 0 0 1 4.24 0l6 6a3 3 0 0 1 0 4.24l-6 6a3 3 0 0 1-4.24 0l-6-6a3 3 0 0 1 0-4.24zM13.1 6.9a.5.5 0 0 0-.7 0L10 9.3 7.6 6.9a.5.5 0 0 0-.7.7L9.3 10l-2.4 2.4a.5.5 0 0 0 .7.7l2.4-2.4 2.4 2.4a.5.5 0 0 0 .7-.7L10.7 10l2.4-2.4a.5.5 0 0 0 0-.7',
)
export const InfoFilled = createIcon(
  'InfoFilled',
  '1em',
  'M18 10a8 8 0 1 0-16 0 8 8 0 0 0 16 0M9.5 8.91a.5.5 0 0 1 1 0v4.69a.5.5 0 0 1-1 0V8.9m-.25-2.16a.75.75 0 1 1 1.5 0 .75.75 0 0 1-1.5 0',
)
export const Square12Filled = createIcon(
  'Square12Filled',
  12,
  'M2 4c0-1.1.9-2 2-2h4a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2z',
)
export const Square16Filled = createIcon(
  'Square16Filled',
  16,
  'M2 4.5A2.5 2.5 0 0 1 4.5 2h7A2.5 2.5 0 0 1 14 4.5v7a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 2 11.5z',
)
export const Warning12Filled = createIcon(
  'Warning12Filled',
  12,
  'M4.28 1.97a2 2 0 0 1 3.43 0l3 5A2 2 0 0 1 9 10H3A2 2 0 0 1 1.3 6.98zM6 6.75a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5M6 3.5a.5.5 0 0 0-.5.5v1.5a.5.5 0 0 0 1 0V4a.5.5 0 0 0-.5-.5',
)
export const WarningFilled = createIcon(
  'WarningFilled',
  '1em',
  'M7.37 3.56a3 3 0 0 1 5.26 0l5.5 10A3 3 0 0 1 15.5 18h-11a3 3 0 0 1-2.63-4.44zM10 12.75a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5m0-6.25a.5.5 0 0 0-.5.5v4a.5.5 0 0 0 1 0V7a.5.5 0 0 0-.5-.5',
)
