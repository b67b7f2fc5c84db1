// Pointer and keys over the picture.

const MOVES = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'];

// Pixels that a hand trembles.
const STILL = 4;

// How far + and - enlarge.
const ZOOM = 1.3;

// `on` takes what happens: moved(), hovered(position, edge, x, y), left(), picked(position, edge, asEnd), stepped(key), chosen(asEnd)
export function listen(canvas, shapeNow, on) {
  let dragged = null;

  const under = (shape, x, y) => {
    const position = shape.nearest(x, y);
    return [position, position === null ? shape.nearestEdge(x, y) : null];
  };

  canvas.addEventListener('pointerdown', event => {
    dragged = { x: event.offsetX, y: event.offsetY, isMoved: false };
  });
  canvas.addEventListener('pointermove', event => {
    const shape = shapeNow();
    if (!shape) {
      return;
    }
    if (!dragged) {
      on.hovered(...under(shape, event.offsetX, event.offsetY), event.offsetX, event.offsetY);
      return;
    }
    const [dx, dy] = [event.offsetX - dragged.x, event.offsetY - dragged.y];
    if (dragged.isMoved || Math.hypot(dx, dy) > STILL) {
      shape.drag(dx, dy);
      dragged = { x: event.offsetX, y: event.offsetY, isMoved: true };
      on.moved();
    }
  });
  canvas.addEventListener('pointerup', event => {
    const shape = shapeNow();
    if (shape && dragged && !dragged.isMoved) {
      on.picked(...under(shape, event.offsetX, event.offsetY), event.shiftKey);
    }
    dragged = null;
  });
  canvas.addEventListener('pointerleave', () => {
    dragged = null;
    on.left();
  });
  canvas.addEventListener('wheel', event => {
    if (shapeNow()) {
      event.preventDefault();
      shapeNow().zoom(Math.exp(-event.deltaY * 0.001), event.offsetX, event.offsetY);
      on.moved();
    }
  }, { passive: false });
  canvas.addEventListener('keydown', event => {
    if (!shapeNow() || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (MOVES.includes(event.key)) {
      on.stepped(event.key);
    } else if (event.key === 'Enter' || event.key === ' ') {
      on.chosen(event.shiftKey);
    } else if (event.key === '+' || event.key === '-') {
      shapeNow().zoom(event.key === '+' ? ZOOM : 1 / ZOOM, canvas.clientWidth / 2, canvas.clientHeight / 2);
      on.moved();
    } else {
      return;
    }
    event.preventDefault();
  });
}
