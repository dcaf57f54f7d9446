/**
 * The colours of the report. Neighbours in a chart differ in lightness as well as in hue, so that people with any
 * colour vision distinguish them; all have a contrast of at least 3:1 on white.
 */
export const theme = {
  name: 'Tributary',
  dataColors: ['#1F5FBF', '#B4530A', '#0F766E', '#9D174D', '#4D7C0F', '#6D28D9', '#475569', '#B91C1C'],
  foreground: '#1F2937',
  background: '#FFFFFF',
  tableAccent: '#1F5FBF',
  good: '#0F766E',
  neutral: '#475569',
  bad: '#B91C1C',
} as const
