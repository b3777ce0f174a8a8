// Boxes on a picture, by mouse and by keyboard; `data-boxes` of the canvas has them, for the decision.
const SVG = "http://www.w3.org/2000/svg";
const FULL = 10000;
const STEP = 100;
const STEPS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

export function startBoxes(canvas) {
  const svg = canvas.querySelector("svg");
  const picture = canvas.querySelector("img");
  const status = canvas.querySelector('[role="status"]');
  const boxes = JSON.parse(canvas.dataset.boxes);
  let chosen = -1;
  let origin = null;

  function draw() {
    svg.replaceChildren(...boxes.map(([left, top, right, bottom], index) => {
      const rect = document.createElementNS(SVG, "rect");
      const values = { x: left, y: top, width: right - left, height: bottom - top };
      for (const [name, value] of Object.entries(values)) rect.setAttribute(name, value);
      if (index === chosen) rect.classList.add("chosen");
      return rect;
    }));
    canvas.dataset.boxes = JSON.stringify(boxes);
  }

  function say() {
    const box = boxes[chosen];
    status.textContent = box ? `Box ${chosen + 1} of ${boxes.length}, from ${box.map((n) => Math.round(n / 100)).join(", ")} per cent` : "No box";
  }

  const clamp = (value) => Math.min(FULL, Math.max(0, Math.round(value)));

  function place(event) {
    const area = svg.getBoundingClientRect();
    return [clamp((event.clientX - area.left) / area.width * FULL), clamp((event.clientY - area.top) / area.height * FULL)];
  }

  const between = ([x1, y1], [x2, y2]) => [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];

  svg.addEventListener("pointerdown", (event) => {
    // Until the picture is shown, it is unknown what a box would cover.
    if (!picture.naturalWidth) return;
    origin = place(event);
    svg.setPointerCapture(event.pointerId);
    chosen = boxes.push(between(origin, origin)) - 1;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!origin) return;
    boxes[chosen] = between(origin, place(event));
    draw();
  });
  svg.addEventListener("pointerup", (event) => {
    if (!origin) return;
    const [left, top, right, bottom] = between(origin, place(event));
    const [x, y] = origin;
    origin = null;
    boxes.splice(chosen, 1);
    if (right > left && bottom > top) chosen = boxes.push([left, top, right, bottom]) - 1;
    // A click chooses the box under it.
    else chosen = boxes.findLastIndex((box) => box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3]);
    draw();
    say();
  });
  svg.addEventListener("keydown", (event) => {
    const move = STEPS[event.key];
    if (event.key === "Enter") chosen = boxes.push([4000, 4500, 6000, 5500]) - 1;
    else if (event.key === "Delete" || event.key === "Backspace") {
      boxes.splice(chosen, chosen < 0 ? 0 : 1);
      chosen = boxes.length - 1;
    } else if (event.key === "n" && boxes.length) chosen = (chosen + 1) % boxes.length;
    else if (move && boxes[chosen]) boxes[chosen] = moved(boxes[chosen], move, event.shiftKey);
    else return;
    event.preventDefault();
    draw();
    say();
  });
  draw();
}

function moved([left, top, right, bottom], [x, y], resizes) {
  if (resizes) return [left, top, Math.min(FULL, Math.max(left + STEP, right + x)), Math.min(FULL, Math.max(top + STEP, bottom + y))];
  const across = Math.min(FULL - right, Math.max(-left, x));
  const down = Math.min(FULL - bottom, Math.max(-top, y));
  return [left + across, top + down, right + across, bottom + down];
}
