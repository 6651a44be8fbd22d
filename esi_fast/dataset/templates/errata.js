"use strict";
const task = document.getElementById("task");
const sure = document.getElementById("sure");
const shown = document.getElementById("shown");

function filter() {
  let count = 0;
  for (const group of document.querySelectorAll(".group")) {
    let any = false;
    for (const entry of group.querySelectorAll(".entry")) {
      const fits = (!task.value || entry.dataset.task === task.value)
        && (!sure.value || entry.dataset.sure === sure.value);
      entry.hidden = !fits;
      any ||= fits;
      count += fits;
    }
    group.hidden = !any;
  }
  shown.textContent = `${count} contradictions shown`;
}

task.addEventListener("change", filter);
sure.addEventListener("change", filter);
filter();
