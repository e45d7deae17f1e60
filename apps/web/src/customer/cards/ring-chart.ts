/** The arcs of a ring chart, as SVG paths. */

const GAP = 0.05;
const OUTER = 57;
const INNER = 38;

const point = (radius: number, angle: number): string =>
  `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;

/** One path a part, clockwise from the top; parts too thin for a gap still show. */
export const ringArcs = (percents: readonly number[]): readonly string[] => {
  let angle = -Math.PI / 2;
  return percents.map((percent) => {
    const turn = Math.min(percent / 100, 0.9999) * 2 * Math.PI;
    const gap = Math.min(GAP, turn / 2);
    const from = angle + gap / 2;
    const to = angle + turn - gap / 2;
    angle += turn;
    const large = to - from > Math.PI ? 1 : 0;
    return `M${point(OUTER, from)}A${OUTER} ${OUTER} 0 ${large} 1 ${point(OUTER, to)}L${point(INNER, to)}A${INNER} ${INNER} 0 ${large} 0 ${point(INNER, from)}Z`;
  });
};
