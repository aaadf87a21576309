import { useEffect, useReducer, useRef } from 'react'
import UPlot from 'uplot'
import type { PlotSpec } from './plotSpec.ts'
import { labeled } from './scale.ts'

/** Width of a label of the axis in CSS pixels. */
const labelWidth = 76
const [axisHeight, scaleWidth] = [26, 54]

/** Calls back when the colors of the page change. */
const onSchemeChange = (call: () => void): (() => void) => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(call)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  system.addEventListener('change', call)
  return () => {
    chosen.disconnect()
    system.removeEventListener('change', call)
  }
}

/** Returns a function that resolves the color of a class such as `bg-line`: a canvas does not support CSS variables. */
const colorsOf = (container: HTMLElement): ((name: string) => string) => {
  const probe = document.createElement('i')
  probe.hidden = true
  container.append(probe)
  const colors = new Map<string, string>()
  return (name) => {
    const known = colors.get(name)
    if (known !== undefined) return known
    probe.className = name
    const color = getComputedStyle(probe).backgroundColor
    colors.set(name, color)
    return color
  }
}

const drawThresholds = (plot: UPlot, thresholds: PlotSpec['thresholds'], colorOf: (name: string) => string): void => {
  const { ctx, bbox } = plot
  for (const { value, color } of thresholds) {
    const y = Math.round(plot.valToPos(value, 'y', true)) + 0.5
    ctx.save()
    ctx.beginPath()
    ctx.lineWidth = Math.round(devicePixelRatio)
    ctx.strokeStyle = colorOf(color)
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio])
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.restore()
  }
}

const seriesOf = ({ series }: PlotSpec, colorOf: (name: string) => string): UPlot.Series[] =>
  series.map(({ color, kind, dash }) =>
    kind === 'bars'
      ? {
          fill: colorOf(color),
          width: 0,
          points: { show: false },
          ...(UPlot.paths.bars && { paths: UPlot.paths.bars({ size: [0.72, 44] }) }),
        }
      : {
          stroke: colorOf(color),
          width: dash ? 1.5 : 2,
          ...(dash && { dash: [4, 4] }),
          points: { show: !dash, size: 5, fill: colorOf(color), width: 0 },
        },
  )

const optionsOf = (
  container: HTMLElement,
  spec: PlotSpec,
  onPoint: (position: number | null) => void,
): UPlot.Options => {
  const colorOf = colorsOf(container)
  const last = spec.times.length
  const axis = { stroke: colorOf('bg-faint'), font: `11px ${getComputedStyle(container).fontFamily}` }
  return {
    width: container.clientWidth,
    height: container.clientHeight,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: {
      x: { time: false, range: () => [-0.5, last - 0.5] },
      y: { range: () => [0, spec.lines.at(-1) ?? 1] },
    },
    axes: [
      {
        ...axis,
        size: axisHeight,
        gap: 6,
        grid: { show: false },
        ticks: { show: false },
        splits: (plot) => labeled(last, Math.floor((plot.width - scaleWidth) / labelWidth)),
        values: (_, positions) => positions.map((position) => spec.times[position] ?? ''),
      },
      {
        ...axis,
        size: scaleWidth,
        gap: 6,
        grid: { stroke: colorOf('bg-line'), width: 1 },
        ticks: { show: false },
        splits: () => [...spec.lines],
        values: (_, values) => values.map(spec.lineText),
      },
    ],
    series: [{}, ...seriesOf(spec, colorOf)],
    hooks: {
      draw: [(plot) => drawThresholds(plot, spec.thresholds, colorOf)],
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
    },
  }
}

/**
 * Draws a chart that fills its container. It is loaded with its library when the first chart is shown.
 * @param label what a screen reader reads; the numbers are in the table
 * @param onPoint called with the position of the bucket under the pointer
 */
export const Plot = ({
  spec,
  label,
  onPoint,
}: {
  spec: PlotSpec
  label: string
  onPoint: (position: number | null) => void
}) => {
  const container = useRef<HTMLDivElement>(null)
  const [scheme, changeScheme] = useReducer((changes: number) => changes + 1, 0)
  useEffect(() => onSchemeChange(changeScheme), [])
  // A new scheme draws the chart in its colors.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const element = container.current
    if (!element) return undefined
    const positions = spec.times.map((_, position) => position)
    const data: UPlot.AlignedData = [positions, ...spec.series.map(({ values }) => [...values])]
    const plot = new UPlot(optionsOf(element, spec, onPoint), data, element)
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: element.clientHeight }))
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      plot.destroy()
      element.replaceChildren()
    }
  }, [spec, onPoint, scheme])
  return <div ref={container} role="img" aria-label={label} className="size-full overflow-hidden" />
}
