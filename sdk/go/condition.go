package flagstone

// A truth says whether a condition matches. Unknown is the third value of Kleene's logic, and lies between the others.
type truth int

const (
	no truth = iota
	unknown
	yes
)

// A condition asks something of a context.
type condition interface {
	truth(context map[string]any) truth
}

// An unknownOperator is one that only the project's own code knows.
type unknownOperator struct{}

func (unknownOperator) truth(map[string]any) truth { return unknown }

// A group asks that all of its parts match, at least one, or none.
type group struct {
	operator string
	parts    []condition
}

func (g *group) truth(context map[string]any) truth {
	least, most := yes, no
	for _, part := range g.parts {
		truth := part.truth(context)
		least, most = min(least, truth), max(most, truth)
		if g.operator == "all" && least == no || g.operator != "all" && most == yes {
			break
		}
	}
	switch g.operator {
	case "all":
		return least
	case "any":
		return most
	default:
		return yes - most
	}
}

// condition compiles a condition, or that of a rule, at a depth of groups. It returns nil if it cannot be read.
func (c *compiler) condition(members map[string]any, depth int) condition {
	attribute, hasAttribute := members["attribute"].(string)
	operator, hasOperator := members["operator"].(string)
	operand, hasOperand := members["value"].(string)
	if !hasAttribute || !hasOperator || !hasOperand {
		c.malformed = true
		return nil
	}
	if operator != "all" && operator != "any" && operator != "none" {
		return c.comparison(attribute, operator, operand)
	}
	conditions, _ := parseJSON(operand).([]any)
	// Groups nest at most 8 deep, counting the rule. A rule has at most 1,000 conditions, counting groups but not itself.
	if c.conditions += len(conditions); len(conditions) == 0 || c.conditions > 1_000 || depth > 8 {
		c.malformed = true
		return nil
	}
	readable, group := true, &group{operator: operator}
	for i := 0; i < len(conditions) && !c.malformed; i++ {
		members, _ := conditions[i].(map[string]any)
		part := c.condition(members, depth+1)
		readable = readable && part != nil
		group.parts = append(group.parts, part)
	}
	if !readable {
		return nil
	}
	return group
}
